// Text of ours on its way into a turn or a terminal: one line of printable ASCII, whatever a file
// says.

const maxCharacters = 2_000;

export function plainLine(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, maxCharacters);
}
