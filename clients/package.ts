// What a client gives the build, so that one program makes the packages of all hosts.

/** What is known only when packages are made. */
export interface PackageContext {
  version: string;
}

/** One installable package. Paths are relative to it, with `/` on every system. */
export interface ClientPackage {
  /** The name of the host, as in `npm run agent -- <host>`, and of the package's folder. */
  host: string;
  /** Bundles: path in the package to the entry point, a path in this repository. */
  bundles: Readonly<Record<string, string>>;
  /** All other files: path in the package to content; what is no text becomes JSON. */
  files: (context: PackageContext) => Readonly<Record<string, string | object>>;
  /** Folders of the package in which the licences of what is bundled have to lie. */
  noticeFolders: readonly string[];
  launch: (context: LaunchContext) => Launch;
}

export interface LaunchContext {
  /** The package, as it was built. */
  folder: string;
  /** An empty or earlier folder for the state of host and plugin, apart from the user's own. */
  state: string;
  /** URL of the Hub. */
  hub: string;
}

/** How a host is started with the package. */
export interface Launch {
  /** Name of the program, looked up in PATH. */
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Calls of the same program that have to succeed before, each a list of arguments. */
  before?: readonly (readonly string[])[];
  /** What to do if the program is not there: one line. */
  missing: string;
}
