// The requirements and the scenarios fit together.
import { expect, test } from 'vitest';
import { playedBindings } from './client.ts';
import { requirements } from './requirements.ts';
import { scenarios } from './scenarios.ts';

const repeated = (texts: readonly string[]) =>
  texts.filter((text, at) => texts.indexOf(text) !== at);

test('every ID stands once, and every requirement has a text', () => {
  expect(repeated(requirements.map(({ id }) => id))).toEqual([]);
  expect(requirements.filter(({ text }) => text.length < 20)).toEqual([]);
});

test.each(playedBindings)(
  'every requirement that %s shows is cited by a scenario played over it',
  (binding) => {
    const played = scenarios.filter(({ bindings }) => bindings.includes(binding));
    const cited = new Set<string>(played.flatMap(({ cites }) => cites));
    const shown = requirements.filter(({ bindings }) => bindings.some((it) => it === binding));
    expect(shown.filter(({ id }) => !cited.has(id)).map(({ id }) => id)).toEqual([]);
  },
);

test('every scenario cites requirements that exist and that its bindings show', () => {
  const bindingsOf = new Map<string, readonly string[]>(
    requirements.map(({ id, bindings }) => [id, bindings]),
  );
  const misplaced = scenarios.flatMap(({ title, cites, bindings }) => {
    if (cites.length === 0) return [title];
    return cites.filter((id) => !bindings.some((it) => bindingsOf.get(id)?.includes(it)));
  });
  expect(misplaced).toEqual([]);
  expect(repeated(scenarios.map(({ title }) => title))).toEqual([]);
});
