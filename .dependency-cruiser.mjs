// Folder boundaries: dependencies point one way (docs/architecture.md).

const test = '\\.test\\.ts$|/testing/|/fixtures/';
const inside = (folder) => ({ path: `^${folder}/`, pathNot: test });

/**
 * Modules of `folder` may import the folders in `allowed` and packages, no other folder of ours.
 */
const layer = (folder, allowed, comment) => ({
  name: `${folder.replaceAll('/', '-')}-imports`,
  comment,
  severity: 'error',
  from: inside(folder),
  to: {
    pathNot: [
      `^${folder}/`,
      ...allowed.map((other) => `^${other}`),
      'node_modules',
      '^aws-lambda$',
    ],
    dependencyTypesNot: ['core'],
  },
});

export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'A cycle means two files with one job: move the shared part below both.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^aws-lambda$' },
    },
    {
      name: 'protocol-imports-zod-only',
      comment: 'The contract runs everywhere: zod and itself, no IO, no other folder.',
      severity: 'error',
      from: inside('protocol'),
      to: { pathNot: ['^protocol/', '^node_modules/zod/'] },
    },
    {
      name: 'no-test-code-in-products',
      severity: 'error',
      from: {
        path: '^(protocol|functions|infra|local|bridge|clients|conformance)/',
        pathNot: `${test}|/model/`,
      },
      to: { path: '\\.test\\.ts$|/testing/' },
    },
    layer('bridge', ['protocol/'], 'Runs inside agent hosts: the contract and itself.'),
    layer('clients/mcp', ['protocol/', 'bridge/'], 'What the clients of MCP hosts share.'),
    {
      name: 'clients-never-import-each-other',
      comment: 'A client knows its host, the bridge, and what stands directly in clients/.',
      severity: 'error',
      from: { path: '^clients/(?!mcp/|build/)([^/]+)/', pathNot: test },
      to: {
        pathNot: [
          '^clients/$1/',
          '^clients/mcp/',
          '^clients/[^/]+\\.ts$',
          '^bridge/',
          '^protocol/',
          'node_modules',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    layer('functions/domain', ['protocol/'], 'Rules know nouns, not storage.'),
    layer('functions/store', ['protocol/', 'functions/domain/'], 'Only the store knows keys.'),
    layer(
      'functions/auth',
      ['protocol/', 'functions/domain/', 'functions/store/', 'functions/policy.ts'],
      'Credential to principal, and how one gets a credential.',
    ),
    {
      name: 'one-function-knows-the-authorization-server',
      comment: 'oidc-provider takes long to load: only what signs people in may import it.',
      severity: 'error',
      from: {
        path: '^functions/',
        pathNot: `${test}|^functions/auth/server/|^functions/auth\\.lambda\\.ts$`,
      },
      to: { path: ['^functions/auth/server/', 'node_modules/oidc-provider/'] },
    },
    layer(
      'functions/operations',
      [
        'protocol/',
        'functions/domain/',
        'functions/store/',
        'functions/auth/principal.ts',
        'functions/policy.ts',
      ],
      'Operations do not know how they were called.',
    ),
    layer(
      'functions/bindings',
      ['protocol/', 'functions/operations/'],
      'A binding decodes, calls the one door, encodes.',
    ),
    {
      name: 'bindings-use-the-door',
      comment: 'Call execute or a background task, never an operation or the AWS SDK.',
      severity: 'error',
      from: inside('functions/bindings'),
      to: { path: 'node_modules/@aws-sdk' },
    },
    {
      name: 'functions-stand-alone',
      comment: 'Deployed code imports the contract and itself.',
      severity: 'error',
      from: { path: '^functions/', pathNot: `${test}|/model/` },
      to: {
        path: '^(?!functions/|protocol/|node_modules/)[a-z]+/',
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'infra-takes-names-only',
      comment: 'Stacks know entry points by path, environment names and the shape of the table.',
      severity: 'error',
      from: inside('infra'),
      to: {
        path: '^(?!infra/|node_modules/)[a-z]+/',
        pathNot: ['^functions/env\\.ts$', '^functions/store/table\\.ts$'],
      },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(cdk\\.out|\\.local|dist)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
