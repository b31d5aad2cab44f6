// On real repositories, made by git.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Workspace } from '../../protocol/nouns.ts';
import { temporaryFolder } from '../testing/rig.ts';
import { remoteUrl, slugOfRemote } from './git-config.ts';
import { readWorkspace } from './workspace.ts';

const run = promisify(execFile);

async function git(folder: string, ...args: string[]): Promise<void> {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  const settings = [
    ...identity,
    '-c',
    'protocol.file.allow=always',
    '-c',
    'init.defaultBranch=main',
  ];
  await run('git', ['-C', folder, ...settings, ...args]);
}

/** A repository with one commit on `main`. */
async function createRepository(name = 'checkout', url?: string): Promise<string> {
  const folder = join(await temporaryFolder(), name);
  await mkdir(folder);
  await git(folder, 'init', '--quiet');
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  if (url !== undefined) await git(folder, 'remote', 'add', 'origin', url);
  return folder;
}

const url = 'git@github.com:acme/hub.git';

test('repository by its remote, and branch', async () => {
  expect(await readWorkspace(await createRepository('x', url))).toEqual({
    repo: 'hub',
    branch: 'main',
  });
});

test('from a folder below, on a branch with slashes', async () => {
  const folder = await createRepository('x', url);
  await git(folder, 'checkout', '--quiet', '-b', 'feature/one');
  await mkdir(join(folder, 'a', 'b'), { recursive: true });
  expect(await readWorkspace(join(folder, 'a', 'b'))).toEqual({
    repo: 'hub',
    branch: 'feature/one',
  });
});

test('without a remote: the folder', async () => {
  expect(await readWorkspace(await createRepository('my-work'))).toEqual({
    repo: 'my-work',
    branch: 'main',
  });
});

test('a detached HEAD has no branch', async () => {
  const folder = await createRepository('x', url);
  await git(folder, 'checkout', '--quiet', '--detach');
  expect(await readWorkspace(folder)).toEqual({ repo: 'hub', branch: '' });
});

test('before the first commit', async () => {
  const folder = await temporaryFolder();
  await git(folder, 'init', '--quiet', '--initial-branch', 'trunk');
  expect((await readWorkspace(folder)).branch).toBe('trunk');
});

test.each([
  [url, 'hub'],
  [undefined, 'checkout'],
])('a linked worktree belongs to its repository (remote %s)', async (remote, repo) => {
  const folder = await createRepository('checkout', remote);
  const worktree = join(await temporaryFolder(), 'elsewhere');
  await git(folder, 'worktree', 'add', '--quiet', '-b', 'side', worktree);
  expect(await readWorkspace(worktree)).toEqual({ repo, branch: 'side' });
});

test('a submodule is a repository of its own', async () => {
  const [library, folder] = [await createRepository('library'), await createRepository('x', url)];
  await git(folder, 'submodule', '--quiet', 'add', library, 'vendored');
  expect(await readWorkspace(join(folder, 'vendored'))).toEqual({
    repo: 'library',
    branch: 'main',
  });
});

test('no repository: nothing', async () => {
  expect(await readWorkspace(await temporaryFolder())).toEqual({ repo: '', branch: '' });
  expect(await readWorkspace('/no/such/folder')).toEqual({ repo: '', branch: '' });
});

test('what is damaged or hostile still makes a workspace that the Hub takes', async () => {
  const folder = join(await temporaryFolder(), 'line\nbreak');
  await mkdir(join(folder, '.git'), { recursive: true });
  const long = 'x'.repeat(500);
  await writeFile(join(folder, '.git', 'HEAD'), `ref: refs/heads/a\u0007\u202eb${long}\n`);
  await writeFile(join(folder, '.git', 'config'), '[remote "origin"\nurl = \n');
  const workspace = await readWorkspace(folder);
  expect(workspace.repo).toBe('line break');
  expect(workspace.branch).toBe(`ab${long}`.slice(0, 200));
  expect(Workspace.parse(workspace)).toEqual(workspace);
});

test('a .git file that points nowhere', async () => {
  const folder = join(await temporaryFolder(), 'broken');
  await mkdir(folder);
  await writeFile(join(folder, '.git'), 'gitdir: /no/such/place\n');
  expect(await readWorkspace(folder)).toEqual({ repo: 'broken', branch: '' });
});

describe('the slug of a remote', () => {
  test.each([
    ['git@github.com:acme/hub.git', 'hub'],
    ['https://github.com/acme/hub', 'hub'],
    ['https://github.com/acme/hub.git/', 'hub'],
    ['https://user:secret@git.example/hub.git?token=secret', 'hub'],
    ['ssh://git@git.example:22/acme/hub.git', 'hub'],
    ['host:hub', 'hub'],
    ['/srv/git/hub.git', 'hub'],
    ['C:\\repos\\hub', 'hub'],
    ['https://secret@host', undefined],
    ['', undefined],
  ])('%s', (remote, slug) => {
    expect(slugOfRemote(remote)).toBe(slug);
  });

  test('is of origin, else of the first one', () => {
    const section = (name: string) => `[remote "${name}"]\n\turl = https://x/${name}.git\n`;
    const other = '[branch "main"]\n\turl = https://x/not-a-remote.git\n';
    expect(remoteUrl(`${other}${section('fork')}${section('origin')}`)).toBe(
      'https://x/origin.git',
    );
    expect(remoteUrl(`${other}${section('fork')}`)).toBe('https://x/fork.git');
    expect(remoteUrl(other)).toBeUndefined();
  });
});
