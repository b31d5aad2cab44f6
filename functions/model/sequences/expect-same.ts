// How a lane picks by lot and says what differs.

export function pick<Item>(items: readonly Item[], lot: number): Item | undefined {
  return items.length === 0 ? undefined : items[lot % items.length];
}

export function withBody({ id, body }: { readonly id: string; readonly body: string }) {
  return [id, body];
}

export function fail(message: string): never {
  throw new Error(message);
}

export function expectSame(what: string, actual: unknown, expected: unknown): void {
  const plain = (value: unknown) =>
    JSON.stringify(value instanceof Set ? [...value].map((stay) => stay.address).sort() : value);
  if (plain(actual) !== plain(expected)) fail(`${what}: ${plain(actual)}, not ${plain(expected)}`);
}
