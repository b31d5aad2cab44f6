// The bridge on Node: files, proxies, `ws`. This is what clients import.
export * from '../index.ts';
export { createNodeBridge, type NodeBridgeOptions } from './create-node-bridge.ts';
export {
  type HookOptions,
  isNoticeTaken,
  readRun,
  takeHookNotice,
} from './files/hook-notice.ts';
export { homeFolder } from './files/paths.ts';
export { readWorkspace } from './workspace.ts';
