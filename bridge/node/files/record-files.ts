// Reads and writes records as JSON files. What is corrupt counts as absent, with one line about it.
import type * as z from 'zod';
import type { FileAccess } from './file-access.ts';

export class RecordFiles {
  readonly #files: FileAccess;
  readonly #warn: (line: string) => void;
  readonly #told = new Set<string>();

  /** `warn` gets lines for people, each file's once; they hold a path and a reason, no content. */
  constructor(files: FileAccess, warn: (line: string) => void) {
    this.#files = files;
    this.#warn = warn;
  }

  /** Undefined if there is no such record, or none that can be used. */
  async read<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
  ): Promise<z.output<Schema> | undefined> {
    try {
      const text = await this.#files.read(path);
      return text === undefined ? undefined : schema.parse(JSON.parse(text));
    } catch (error) {
      const reason = isFileError(error) ? error.code : 'it is damaged';
      this.#tell(path, `Tandry ignores ${path}: ${reason}. Delete it, or repair it.`);
      return undefined;
    }
  }

  async write(path: string, record: object): Promise<void> {
    await this.#files.write(path, `${JSON.stringify(record)}\n`);
  }

  /** Does what may fail without harm to the conversation; a failure is told. */
  async try(path: string, action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const reason = isFileError(error) ? error.code : 'unknown reason';
      this.#tell(path, `Tandry could not write ${path}: ${reason}.`);
    }
  }

  #tell(path: string, line: string): void {
    if (this.#told.has(path)) return;
    this.#told.add(path);
    this.#warn(line);
  }
}

function isFileError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
