// How many bytes DynamoDB counts for an item, by its documented rules.
import { isObject, type Json, type JsonObject, listOf, objectOf } from './json.ts';

/** Names and values of all attributes. */
export function itemBytes(item: JsonObject): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(objectOf(value)),
    0,
  );
}

const containerBytes = 3;
const elementBytes = 1;

/** Bytes of the content under each type letter of an attribute value. */
const sizeOf: Record<string, (content: Json) => number> = {
  S: textBytes,
  N: numberBytes,
  B: binaryBytes,
  BOOL: () => 1,
  NULL: () => 1,
  SS: (content) => sum(content, textBytes),
  NS: (content) => sum(content, numberBytes),
  BS: (content) => sum(content, binaryBytes),
  L: (content) =>
    containerBytes + sum(content, (element) => elementBytes + valueBytes(objectOf(element))),
  M: (content) => {
    const entries = objectOf(content);
    return containerBytes + elementBytes * Object.keys(entries).length + itemBytes(entries);
  },
};

function valueBytes(value: JsonObject): number {
  const [[type = '', content = null] = []] = Object.entries(value);
  return sizeOf[type]?.(content) ?? 0;
}

function textBytes(content: Json): number {
  return Buffer.byteLength(String(content));
}

function binaryBytes(content: Json): number {
  return Buffer.byteLength(String(content), 'base64');
}

/** A byte per two significant digits, one more, and one for a sign. */
function numberBytes(content: Json): number {
  const [mantissa = ''] = String(content).toLowerCase().split('e');
  const significant = mantissa.replaceAll(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  if (significant === '') return 1;
  return Math.ceil(significant.length / 2) + 1 + (mantissa.startsWith('-') ? 1 : 0);
}

function sum(content: Json, bytes: (element: Json) => number): number {
  return (isObject(content) ? [] : listOf(content)).reduce<number>(
    (total, element) => total + bytes(element),
    0,
  );
}
