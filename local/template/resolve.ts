// Evaluates CloudFormation's intrinsic functions, so that the rest of the runner sees plain values.
import { createHmac, randomBytes } from 'node:crypto';
import { StartError } from '../start-error.ts';
import type { Resource, Template } from './load.ts';
import { account, namesByType, region } from './names.ts';

/** A template with every intrinsic function evaluated and unmet conditions left out. */
export type ResolvedResource = Omit<Resource, 'Properties'> & {
  logicalId: string;
  properties: Record<string, unknown>;
};

const noValue = Symbol('AWS::NoValue');
const pseudoParameters: Readonly<Record<string, unknown>> = {
  'AWS::AccountId': account,
  'AWS::Region': region,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
  'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/local/local`,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': noValue,
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Evaluates expressions of one template; throws a `StartError` that names what it cannot evaluate.
 */
export class Resolver {
  readonly #template: Template;
  readonly #secretKey: Uint8Array;

  /** @param secretKey makes the values of generated secrets: the same ones from the same key */
  constructor(template: Template, secretKey: Uint8Array = randomBytes(32)) {
    this.#template = template;
    this.#secretKey = secretKey;
  }

  /** The value with every intrinsic function in it evaluated. */
  value(expression: unknown): unknown {
    if (Array.isArray(expression)) {
      return expression.map((item) => this.value(item)).filter((item) => item !== noValue);
    }
    if (typeof expression === 'string') return this.#withSecrets(expression);
    if (!isRecord(expression)) return expression;
    const [only, ...more] = Object.entries(expression);
    if (only !== undefined && more.length === 0) {
      const [name, argument] = only;
      const intrinsic = this.#intrinsics[name];
      if (intrinsic !== undefined) return this.#withSecrets(intrinsic(argument));
      if (name.startsWith('Fn::')) throw new StartError(`The template uses ${name}, unknown here`);
    }
    return Object.fromEntries(
      Object.entries(expression)
        .map(([name, item]) => [name, this.value(item)] as const)
        .filter(([, item]) => item !== noValue),
    );
  }

  /** Every resource whose condition holds, by logical ID, with evaluated properties. */
  resources(): Map<string, ResolvedResource> {
    const all = new Map<string, ResolvedResource>();
    for (const [logicalId, resource] of Object.entries(this.#template.Resources)) {
      if (resource.Condition !== undefined && !this.#condition(resource.Condition)) continue;
      const { Properties, ...rest } = resource;
      all.set(logicalId, { ...rest, logicalId, properties: this.#properties(logicalId) });
    }
    return all;
  }

  readonly #intrinsics: Readonly<Record<string, (argument: unknown) => unknown>> = {
    Ref: (name) => this.#ref(String(name)),
    'Fn::GetAtt': (argument) => {
      const path = typeof argument === 'string' ? argument.split('.') : this.#list(argument);
      const [logicalId, ...attribute] = path.map(String);
      return this.#attribute(logicalId ?? '', attribute.join('.'));
    },
    'Fn::Join': (argument) => {
      const [separator, parts] = this.#list(argument);
      return this.#list(parts).map(String).join(String(separator));
    },
    'Fn::Sub': (argument) => this.#substitute(argument),
    'Fn::Select': (argument) => {
      const [index, list] = this.#list(argument);
      return this.#list(list)[Number(index)];
    },
    'Fn::Split': (argument) => {
      const [separator, text] = this.#list(argument);
      return String(text).split(String(separator));
    },
    'Fn::If': (argument) => {
      const [name, yes, no] = Array.isArray(argument) ? argument : [];
      return this.value(this.#condition(String(name)) ? yes : no);
    },
    'Fn::FindInMap': (argument) => {
      const [map, first, second] = this.#list(argument).map(String);
      return this.#template.Mappings[map ?? '']?.[first ?? '']?.[second ?? ''];
    },
    'Fn::GetAZs': () => [`${region}a`, `${region}b`],
    'Fn::Base64': (argument) => Buffer.from(String(this.value(argument))).toString('base64'),
    'Fn::Equals': (argument) => {
      const [left, right] = this.#list(argument);
      return JSON.stringify(left) === JSON.stringify(right);
    },
    'Fn::Not': (argument) => this.#list(argument)[0] !== true,
    'Fn::And': (argument) => this.#list(argument).every((item) => item === true),
    'Fn::Or': (argument) => this.#list(argument).some((item) => item === true),
    Condition: (name) =>
      typeof name === 'string' ? this.#condition(name) : { Condition: this.value(name) },
  };

  /** Deployment puts a secret's value in the place of a dynamic reference to it. */
  #withSecrets(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    return value.replaceAll(/\{\{resolve:secretsmanager:[^}]+\}\}/g, (reference) =>
      createHmac('sha256', this.#secretKey).update(reference).digest('hex'),
    );
  }

  #list(expression: unknown): unknown[] {
    const list = this.value(expression);
    if (Array.isArray(list)) return list;
    throw new StartError(`The template has ${JSON.stringify(expression)} where a list belongs`);
  }

  #condition(name: string): boolean {
    return this.value(this.#template.Conditions[name]) === true;
  }

  #properties(logicalId: string): Record<string, unknown> {
    const value = this.value(this.#template.Resources[logicalId]?.Properties ?? {});
    return isRecord(value) ? value : {};
  }

  #ref(name: string): unknown {
    if (name in pseudoParameters) return pseudoParameters[name];
    const parameter = this.#template.Parameters[name];
    if (parameter !== undefined) return parameter.Default ?? '';
    const resource = this.#template.Resources[name];
    if (resource === undefined)
      throw new StartError(`The template refers to ${name}, which it lacks`);
    const ref = namesByType[resource.Type]?.ref;
    return ref === undefined ? name : ref({ logicalId: name, properties: this.#properties(name) });
  }

  #attribute(logicalId: string, attribute: string): unknown {
    const type = this.#template.Resources[logicalId]?.Type ?? 'nothing';
    const name = namesByType[type]?.attributes?.[attribute];
    if (name !== undefined) return name({ logicalId, properties: this.#properties(logicalId) });
    // Only what is run must be exact; of the rest, a placeholder that nothing could mistake.
    return `unknown:${type}:${logicalId}.${attribute}`;
  }

  #substitute(argument: unknown): string {
    const [text, own] = Array.isArray(argument) ? argument : [argument, {}];
    const variables = this.value(own);
    return String(text).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal !== '') return `\${${name}}`;
      if (isRecord(variables) && name in variables) return String(variables[name]);
      const [logicalId, ...attribute] = name.split('.');
      return String(
        attribute.length === 0
          ? this.#ref(name)
          : this.#attribute(logicalId ?? '', attribute.join('.')),
      );
    });
  }
}
