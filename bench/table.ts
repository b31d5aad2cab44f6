// Prints a table: text to the left, numbers to the right.

export type Cell = string | number;

/** Rows under a title and column heads; numbers get as many digits as they need, at most two. */
export function printTable(
  title: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  const lines = [heads, ...rows.map((row) => row.map(text))];
  const widths = heads.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  const isNumber = heads.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  const print = (line: readonly string[]) =>
    line
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  console.log(`\n${title}\n`);
  for (const line of lines) console.log(`  ${print(line)}`);
}

function text(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  const digits = Number.isInteger(cell) || cell >= 100 ? 0 : cell >= 10 ? 1 : 2;
  return cell.toFixed(digits);
}
