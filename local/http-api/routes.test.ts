import { describe, expect, test } from 'vitest';
import { createRouter } from './routes.ts';

const router = (...keys: string[]) => createRouter(keys.map((key) => ({ key, target: key })));
const keyOf = (keys: string[], method: string, path: string) =>
  router(...keys)(method, path)?.route.key;

describe('a route is chosen', () => {
  const keys = [
    '$default',
    'ANY /{proxy+}',
    'ANY /v1/{operation}',
    'GET /v1/{rest+}',
    'POST /v1/{operation}',
    'POST /v1/login_start',
  ];
  test.each([
    ['POST', '/v1/login_start', 'POST /v1/login_start'],
    ['POST', '/v1/send', 'POST /v1/{operation}'],
    ['GET', '/v1/login_start', 'ANY /v1/{operation}'],
    ['GET', '/v1/a/b', 'GET /v1/{rest+}'],
    ['PUT', '/v1/a/b', 'ANY /{proxy+}'],
    ['GET', '/', '$default'],
  ])('for %s %s: %s', (method, path, expected) => {
    expect(keyOf(keys, method, path)).toBe(expected);
    expect(keyOf(keys.toReversed(), method, path)).toBe(expected);
  });
});

test('nothing matches another path, method, or an empty variable', () => {
  const keys = ['GET /health', 'POST /v1/{operation}', 'GET /files/{path+}'];
  expect(keyOf(keys, 'POST', '/health')).toBeUndefined();
  expect(keyOf(keys, 'GET', '/health/')).toBeUndefined();
  expect(keyOf(keys, 'POST', '/v1/')).toBeUndefined();
  expect(keyOf(keys, 'POST', '/v1/a/b')).toBeUndefined();
  expect(keyOf(keys, 'GET', '/files/')).toBeUndefined();
});

test('path variables are decoded, a greedy one with its slashes', () => {
  const find = router('GET /rooms/{room}/{rest+}', 'GET /health');
  expect(find('GET', '/rooms/a%20b/c/d%2Fe')?.pathParameters).toEqual({
    room: 'a b',
    rest: 'c/d/e',
  });
  expect(find('GET', '/health')?.pathParameters).toBeUndefined();
  expect(() => find('GET', '/rooms/%zz/x')).toThrow(URIError);
});
