// The whole Hub on this machine, as tests of bad input call it: raw bytes in, status and code out.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { signIn } from '../../local/sign-in.ts';
import { type Stack, type StackOptions, startStack } from '../../local/stack.ts';

/** Header names and values in turn, so that one can stand twice. */
export type RawHeaders = readonly string[];

export interface RawAnswer {
  readonly status: number;
  /** `ok`, the code of a refusal, or undefined for what is no envelope. */
  readonly code: string | undefined;
  readonly text: string;
  /** Of a success. */
  readonly result: unknown;
}

export interface StackHub {
  readonly stack: Stack;
  /** Posts bytes to `/v1/<operation>` with these headers and no others. */
  post(operation: string, headers: RawHeaders, body: string | Uint8Array): Promise<RawAnswer>;
  /** An account's access token. */
  token(email: string): Promise<string>;
  /** Key and hash of every item of the table; the stack's ledger does not see the reading. */
  items(): Promise<string[]>;
  close(): Promise<void>;
}

const Envelope = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), error: z.object({ code: z.string() }) }),
]);

export async function startStackHub(options: StackOptions = {}): Promise<StackHub> {
  const stack = await startStack({ mode: 'worker', ...options });
  const { cognito, outputs } = stack;
  const engine = new DynamoDBClient({
    endpoint: stack.dynamodb.engineEndpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'any' },
  });
  return {
    stack,
    post: (operation, headers, body) => post(`${stack.url}/v1/${operation}`, headers, body),
    async token(email) {
      const { WebsiteClientId: clientId = '' } = outputs;
      return (await signIn({ baseUrl: cognito?.baseUrl ?? '', clientId, email })).accessToken;
    },
    items: () => scan(engine, outputs['TableName'] ?? ''),
    async close() {
      engine.destroy();
      await stack.close();
    },
  };
}

async function post(
  url: string,
  headers: RawHeaders,
  body: string | Uint8Array,
): Promise<RawAnswer> {
  const bytes = Buffer.from(body);
  // Given as a list, headers are sent as they are: what Node would add is missing.
  const own = ['host', new URL(url).host, 'content-length', String(bytes.length)];
  const sent = request(url, { method: 'POST', headers: [...headers, ...own] });
  sent.end(bytes);
  const [response] = await once(sent, 'response');
  const text = (await buffer(response)).toString();
  return { status: response.statusCode, text, ...read(text) };
}

function read(text: string): Pick<RawAnswer, 'code' | 'result'> {
  const envelope = Envelope.safeParse(parseJson(text)).data;
  if (envelope === undefined) return { code: undefined, result: undefined };
  return envelope.ok
    ? { code: 'ok', result: envelope.result }
    : { code: envelope.error.code, result: undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function scan(engine: DynamoDBClient, tableName: string): Promise<string[]> {
  const items: string[] = [];
  for await (const page of paginateScan({ client: engine }, { TableName: tableName })) {
    items.push(...(page.Items ?? []).map(fingerprint));
  }
  return items.sort();
}

/** The key and a hash over all attributes, which come in any order. */
function fingerprint(item: Record<string, AttributeValue>): string {
  const attributes = JSON.stringify(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash('sha256').update(attributes).digest('hex');
  return `${item['pk']?.S} ${item['sk']?.S} ${hash}`;
}
