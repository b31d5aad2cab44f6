import { describe, expect, test } from 'vitest';
import { sampleResults } from '../fixtures/samples.ts';
import { renderLogin } from './login.ts';

describe('login', () => {
  test('shows the URL and the code, each on its line', () => {
    const shown = renderLogin({ state: 'started', ...sampleResults.login_start });
    expect(shown).toMatch('\nURL: https://hub.example/device\nCode: WDJB-MJHT\n');
    expect(shown).toMatch('10 minutes');
    expect(shown).not.toMatch(sampleResults.login_start.deviceCode);
  });

  test('names who signed in, or what is missing', () => {
    expect(renderLogin({ state: 'approved', account: { handle: 'henry' } })).toBe(
      'Signed in as henry.',
    );
    expect(renderLogin({ state: 'approved', account: { handle: null } })).toMatch('no handle yet');
  });
});
