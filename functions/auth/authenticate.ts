// Any credential to its principal. The JWT library is loaded when the first JWT comes.
import type { Authenticate } from './principal.ts';

/** Website tokens by `load`; opaque tokens of our own are not issued yet. */
export function authenticator(load: () => Promise<Authenticate>): Authenticate {
  let website: Promise<Authenticate> | undefined;
  return async (bearer) => {
    if (bearer.split('.').length !== 3) return undefined;
    website ??= load();
    return (await website)(bearer);
  };
}
