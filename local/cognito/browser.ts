// What a browser does at sign-in, for programs: keeps cookies, follows redirects, reads forms.
const redirectLimit = 10;
const timeoutMs = 15_000;

export interface Browser {
  /** What it was given so far, by name: their paths and lifetimes are not kept. */
  readonly cookies: Map<string, string>;
  /**
   * Opens `url`, or posts `form` to it, and follows redirects: gives the page they end at, or the
   * URL they lead to when it is on an origin this browser does not visit.
   */
  open(url: string | URL, form?: Record<string, string>): Promise<Response | URL>;
}

/** A browser without cookies yet that visits these origins only. */
export function createBrowser(...origins: string[]): Browser {
  const cookies = new Map<string, string>();

  function keepCookies(response: Response) {
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function load(url: URL, form: Record<string, string> | undefined) {
    const response = await fetch(url, {
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    keepCookies(response);
    return response;
  }

  return {
    cookies,
    async open(url, form) {
      let target = new URL(url);
      let response = await load(target, form);
      for (let hop = 0; hop < redirectLimit; hop += 1) {
        const location = response.headers.get('location');
        if (location === null) return response;
        target = new URL(location, target);
        if (!origins.includes(target.origin)) return target;
        response = await load(target, undefined);
      }
      throw new Error(`More than ${redirectLimit} redirects from ${url}`);
    },
  };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => entities[name] ?? all);
}

/** The first form of a page: where it is posted to, and its hidden fields. */
export function readForm(page: string): { action: string; fields: Record<string, string> } | null {
  const [, action, content] = /<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(page) ?? [];
  if (action === undefined || content === undefined) return null;
  const inputs = content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = [...inputs].map(([, name = '', value = '']) => [decode(name), decode(value)]);
  return { action: decode(action), fields: Object.fromEntries(fields) };
}

/** What a page has to say for itself: the text of its alert. */
export function readAlert(page: string): string | undefined {
  const alert = /role="alert">([^<]*)/.exec(page)?.[1];
  return alert && decode(alert);
}
