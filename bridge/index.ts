// The bridge, as far as it runs anywhere: no Node, no files. Hosts on Node import `node/index.ts`,
// which completes it.
export { Bindings } from './bindings.ts';
export {
  type Bridge,
  type BridgeOptions,
  type BridgePorts,
  type BridgeStatus,
  createBridge,
} from './bridge.ts';
export { type Clock, systemClock } from './clock.ts';
export { fetchHttp, type Http, type HttpReply, type HttpRequest } from './hub/http.ts';
export { type Call, createHubClient, type HubClient } from './hub/hub-client.ts';
export type { LinkTarget, OpenSocket, Socket, SocketEnd, SocketEvents } from './link/socket.ts';
export { type Random, systemRandom } from './random.ts';
export { Credentials, Marker, Run } from './records.ts';
export type { Shell } from './shell.ts';
export { NoHubError, normalizeHub, type Session, type Store } from './store.ts';
export { subagentRefusal, type ToolResult } from './tools/result.ts';
export type { Boundary } from './wake/machine.ts';
