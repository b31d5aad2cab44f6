import { defineConfig } from 'vitest/config';

// Two environments of the local stack per core would only measure each other: files run one by two.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/cdk.out/**', '**/.local/**', 'hosts/**'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A deadline, not a measurement: the machine may be busy.
    expect: { poll: { timeout: 15_000, interval: 20 } },
  },
});
