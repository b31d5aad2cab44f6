// A real browser without a window, kept to this machine: no name but those given leads anywhere.
import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find.ts';

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A busy machine takes its time. */
const launchMs = 120_000;

/**
 * Launches it. `hosts` are names that lead to this machine besides `localhost`, each with the port
 * that answers for it. Throws StartError where there is none.
 */
export function launchChromium(hosts: Readonly<Record<string, number>> = {}): Promise<Browser> {
  const mapped = Object.entries(hosts).map(([name, port]) => `MAP ${name}:443 127.0.0.1:${port}`);
  const rules = [...mapped, 'MAP * ~NOTFOUND', 'EXCLUDE localhost', 'EXCLUDE 127.0.0.1'];
  return chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: false,
    timeout: launchMs,
    args: [...flags, `--host-resolver-rules=${rules.join(', ')}`],
  });
}
