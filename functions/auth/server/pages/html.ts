// Text that is safe in a page: values are escaped where they are put in, always.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML: parts as they are, values between them made safe. */
export class Html {
  readonly #text: string;

  constructor(parts: readonly string[], values: readonly Value[]) {
    this.#text = parts.map((part, at) => part + rendered(values[at])).join('');
  }

  toString(): string {
    return this.#text;
  }
}

type Value = string | Html | readonly Html[] | undefined;

/** A template: text is escaped, other pieces are put in as they are, undefined is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts, values);
}

function rendered(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (c) => entities[c] ?? c);
  return value instanceof Html ? value.toString() : value.join('');
}
