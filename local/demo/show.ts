// How the demo prints: what happened, and behind a bar the text that somebody read.

/** Prints one thing that happened, and the text that somebody read. */
export type Show = (what: string, text: string) => void;

/** To the terminal. */
export const show: Show = (what, text) => {
  console.log(`\n● ${what}`);
  for (const line of text.split('\n')) console.log(`  │ ${line}`.trimEnd());
};
