// The little of git's configuration that names a repository: the URL of a remote.

/** URL of the remote `origin`, else of the first one; undefined if there is none. */
export function remoteUrl(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    if (/^\s*\[/.test(line)) remote = /^\s*\[remote "((?:[^"\\]|\\.)*)"\]/.exec(line)?.[1];
    const url = /^\s*url\s*=\s*"?([^"]*?)"?\s*$/i.exec(line)?.[1];
    if (remote !== undefined && url && !urls.has(remote)) urls.set(remote, url);
  }
  return urls.get('origin') ?? urls.values().next().value;
}

/**
 * The name of the repository: `git@github.com:acme/hub.git` → `hub`. The last segment alone, so
 * that no credentials in a URL get out. Undefined if there is none.
 */
export function slugOfRemote(url: string): string | undefined {
  const path = url.replace(/[?#].*$/, '').replace(/[\\/]+$/, '');
  const slug = (path.split(/[\\/:]/).at(-1) ?? '').replace(/\.git$/i, '');
  return slug === '' || slug.includes('@') ? undefined : slug;
}
