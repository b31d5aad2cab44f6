// Values that are wrong for a field, as JSON text: what no parsed value can hold is among them.

const string = (text: string) => JSON.stringify(text);
const deep = (open: string, close: string) => open.repeat(10_000) + close.repeat(10_000);

/** Right for no field at all. */
const always = [
  '[[]]',
  '[null]',
  '[{}]',
  '[1]',
  deep('[', ']'),
  deep('{"a":', '}').replace('{"a":}', '{"a":1}'),
  '-0.5',
  '1e999',
  '-1e999',
  '1e300',
  '18446744073709551616',
  '"\\ud800"',
  '"\\udc00 \\ud800"',
  '{"\\ud800":"x"}',
  '["\\udfff"]',
];
const objects = ['{}', '{"__proto__":"x"}', '{"constructor":{"prototype":{}}}', '{"toString":"x"}'];
const numbers = ['0', '-0', '1', '-1', '0.5', '9007199254740993'];
const booleans = ['true', 'false'];
const lists = ['[]', '["x"]', '["__proto__"]'];
const texts = [
  '',
  ' ',
  'null',
  '__proto__',
  'constructor',
  'a\u0000b',
  'a\nb',
  '\u001b[31m',
  '😀',
  '\u202Ea',
  'a\u200Bb',
  'ｒ＿１２３４５６７８',
  '../../x',
  'a#b',
  'x'.repeat(100_000),
].map(string);

const noText = [...always, ...objects, ...numbers, ...booleans, ...lists];
const ofPrefix = (prefix: string) => [
  ...noText,
  ...texts,
  ...[
    '',
    '1234567',
    '1'.repeat(41),
    '1234567A',
    '1234567é',
    '12345678\n',
    '12345678\u0000',
    '1234567#',
  ].map((ending) => string(prefix + ending)),
];
const tooLong = (characters: number) => [
  string('x'.repeat(characters + 1)),
  string('😀'.repeat(characters + 1)),
  string('\u202E'.repeat(characters + 1)),
];
/** Texts with what a name may not hold. */
const unprintable = [
  'a\u0000b',
  'a\nb',
  'a\tb',
  'a\u001bb',
  'a\u0085b',
  'a\u2028b',
  'a\u2029b',
].map(string);
const blank = ['', ' ', '\u00a0', '\n', '\ufeff'].map(string);
const references = ['Ann', 'ann/', '/ann', 'alice/ann/x', '-ann', 'al/ann', 'älice/ann'].map(
  string,
);

const workspaceField = [...noText, 'null', ...unprintable, ...tooLong(200)];

/** Wrong for a field of the kind; null is wrong for a required one only. */
export const badJson = {
  roomId: [...ofPrefix('r_'), '"m_12345678"'],
  messageId: [...ofPrefix('m_'), '"r_12345678"'],
  handle: [
    ...[...noText, ...texts.filter((it) => it !== '"constructor"')],
    ...['ab', '1ab', '_ab', 'Abc', 'a-b', 'abc ', 'admin', 'x'.repeat(25)].map(string),
  ],
  roomName: [...noText, ...blank, ...unprintable, ...tooLong(80)],
  description: [...noText, ...tooLong(500)],
  intro: [...noText, ...blank, ...tooLong(1_000)],
  /** Free text that becomes a name. */
  nameText: [...noText, ...blank, ...unprintable, ...tooLong(200)],
  memberName: [...noText, ...blank, ...unprintable, ...tooLong(200), '"😀"', '"---"', '"\u202E"'],
  reference: [
    ...noText,
    ...texts.filter((it) => it !== '"null"' && it !== '"constructor"'),
    ...references,
  ],
  code: [...noText, '""', '"ABC"', ...tooLong(32)],
  workspace: [
    ...[...always, ...objects, ...numbers, ...booleans, ...lists, ...texts, '{"repo":"x"}'],
    ...workspaceField.map((field) => `{"repo":${field},"branch":""}`),
    ...workspaceField.map((field) => `{"repo":"","branch":${field}}`),
  ],
  opaque: [...noText, '""', ...tooLong(200)],
  label: [...noText, ...unprintable, ...tooLong(100)],
  flag: [...always, ...objects, ...numbers, ...lists, ...texts, '"true"'],
  view: [...noText, ...texts, '"dm"', '"Room"'],
  position: [
    ...[...always, ...objects, ...booleans, ...lists, ...texts, '"1"'],
    ...['-1', '0.5', '9007199254740993'],
  ],
  recipients: [
    ...[...always, ...objects, ...numbers, ...booleans, ...texts, '"@Room"', '"alice/ann"'],
    ...['["x"]', '["@room"]', '["__proto__"]', '["alice/ann",null]', '["alice/ann",["alice/ann"]]'],
    ...references.map((reference) => `[${reference}]`),
    JSON.stringify(Array.from({ length: 51 }, () => 'alice/ann')),
  ],
  body: [...noText, '""'],
  meta: [
    ...[...always, ...numbers, ...booleans, ...lists, ...texts],
    ...['{"a":1}', '{"a":null}', '{"a":{}}', '{"a":["x"]}', '{"":"x"}', '{"__proto__":"x"}'],
    ...['{"a":"\\ud800"}', '{"constructor":{"prototype":{}}}'],
    ...tooLong(64).map((key) => `{${key}:"x"}`),
    ...tooLong(256).map((value) => `{"a":${value}}`),
    JSON.stringify(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`key${at}`, 'x']))),
  ],
} as const satisfies Record<string, readonly string[]>;

export type FieldKind = keyof typeof badJson;

/** Wrong as the whole of a request, whatever the operation. */
export const badRequests = [
  ...['', ' ', '\u0000', '{', '}', '{}{}', '{} x', '{"a":NaN}', '{"a":Infinity}', '{"a":01}'],
  ...[
    '{"a":undefined}',
    "{'a':1}",
    '{"a":1,}',
    '{/**/}',
    '<x/>',
    'a=b',
    '{"a":"\n"}',
    '{"a":"\\x"}',
  ],
  ...['null', 'true', '0', '1e999', '"{}"', '[]', '[{}]', deep('[', ']'), '[['.repeat(50_000)],
  ...[
    '{"\\ud800":1}',
    '{"a":"\\udc00"}',
    '{"a":[{"b":["\\ud83d"]}]}',
    `{"a":"${'x'.repeat(300 * 1_024)}"}`,
  ],
];

/** Unknown fields, to be put into any request: they change nothing. */
export const ignoredFields = {
  'a prototype': '"__proto__":{"id":"x","to":"x"}',
  'a constructor': '"constructor":{"prototype":{"isAdmin":true}}',
  'names of Object': '"toString":null,"hasOwnProperty":1,"valueOf":[]',
  'a nesting 10,000 deep': `"deep":${deep('[', ']')}`,
  'numbers without a value': '"huge":1e999,"big":123456789012345678901234567890',
  'odd names': '"":"","😀":"😀","\\u0000":"\\u0000","\\u202e":"\\u202e"',
  'five thousand names': Array.from({ length: 5_000 }, (_, at) => `"key${at}":${at}`).join(),
} as const;
