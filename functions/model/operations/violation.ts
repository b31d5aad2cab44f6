// How the model says what is not as it must be.

export class Violation extends Error {}

export function violate(property: string, what: string): never {
  throw new Violation(`${property}: ${what}`);
}

const inOrder = (_key: string, value: unknown) =>
  value instanceof Set ? [...value].toSorted() : value;

/** Compares by content; the order of sets does not matter. */
export function mustBe(property: string, what: string, actual: unknown, expected: unknown): void {
  const [is, must] = [JSON.stringify(actual, inOrder), JSON.stringify(expected, inOrder)];
  if (is !== must) violate(property, `${what} is ${is}, must be ${must}`);
}
