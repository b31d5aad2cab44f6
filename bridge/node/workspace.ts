// Where a conversation works: repository and branch, read from the files of git. No git process is
// run: hooks and configuration of a repository would run with it.
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { limits } from '../../protocol/limits.ts';
import type { Workspace } from '../../protocol/nouns.ts';
import { inline } from '../../protocol/render/plain.ts';
import { remoteUrl, slugOfRemote } from './git-config.ts';

/** The workspace around a folder; both fields are empty where there is no repository. */
export async function readWorkspace(folder: string): Promise<Workspace> {
  const git = await findGit(resolve(folder));
  if (git === undefined) return { repo: '', branch: '' };
  const common = await commonFolder(git.folder);
  const config = await read(join(common, 'config'));
  const url = config === undefined ? undefined : remoteUrl(config);
  const slug = url === undefined ? undefined : slugOfRemote(url);
  return {
    repo: presentable(slug ?? folderName(git.root, git.folder, common)),
    branch: presentable(branchOf(await read(join(git.folder, 'HEAD')))),
  };
}

interface Git {
  /** The top folder of the working tree. */
  root: string;
  /** Where this tree's HEAD is: `.git`, or what the file `.git` points to. */
  folder: string;
}

async function findGit(start: string): Promise<Git | undefined> {
  for (let root = start; ; root = dirname(root)) {
    const path = join(root, '.git');
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) return { root, folder: path };
    if (found?.isFile()) {
      const target = /^gitdir: *(.+?)\s*$/m.exec((await read(path)) ?? '')?.[1];
      if (target !== undefined) return { root, folder: resolve(root, target) };
    }
    if (dirname(root) === root) return undefined;
  }
}

/** A linked worktree shares the configuration of its repository. */
async function commonFolder(folder: string): Promise<string> {
  const shared = (await read(join(folder, 'commondir')))?.trim();
  return shared === undefined || shared === '' ? folder : resolve(folder, shared);
}

/** Without a remote: a linked worktree is called after its main one, all else after itself. */
function folderName(root: string, folder: string, common: string): string {
  const isLinked = common !== folder && basename(common) === '.git';
  return basename(isLinked ? dirname(common) : root);
}

/** Empty for a detached HEAD. */
function branchOf(head: string | undefined): string {
  return /^ref: *refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1] ?? '';
}

/** In the form and length that the Hub accepts. */
function presentable(text: string): string {
  return Array.from(inline(text)).slice(0, limits.workspaceFieldCharacters).join('').trim();
}

async function read(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(() => undefined);
}
