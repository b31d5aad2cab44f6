// The operator's settings: defaults, the one switch between stages, and what is refused.
import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const prod = { 'tandry:stage': 'prod', 'tandry:websiteOrigins': 'https://hub.example.com' };
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/12ab-34cd';

describe('readConfig', () => {
  it('makes a throw-away deployment for one machine by default', () => {
    expect(readConfig({})).toEqual({
      stage: 'dev',
      removalPolicy: RemovalPolicy.DESTROY,
      deletionProtection: false,
      logRetention: RetentionDays.ONE_WEEK,
      websiteOrigins: ['http://localhost:8799'],
      clientRedirectUris: [],
      domain: undefined,
      priceClass: 'PriceClass_100',
      cognitoDomainPrefix: undefined,
      alarmEmail: undefined,
      selfSignUp: false,
      policy: {},
    });
  });

  it('protects what people rely on with the stage alone', () => {
    expect(readConfig(prod)).toMatchObject({
      removalPolicy: RemovalPolicy.RETAIN,
      deletionProtection: true,
      logRetention: RetentionDays.THREE_MONTHS,
      websiteOrigins: ['https://hub.example.com'],
    });
  });

  it('ignores context of others', () => {
    expect(readConfig({ '@aws-cdk/core:checkSecretUsage': true })).toEqual(readConfig({}));
  });

  it('names an unknown setting', () => {
    expect(() => readConfig({ 'tandry:membersPerRoom': 5 })).toThrow(/tandry:.*membersPerRoom/s);
  });

  it.each([
    ['stage', 'staging'],
    ['alarmEmail', 'somebody'],
    ['cognitoDomainPrefix', 'My Hub'],
    ['selfSignUp', 'maybe'],
    ['websiteOrigins', 'https://hub.example.com/rooms'],
    ['websiteOrigins', 'javascript:alert(1)'],
    ['clientRedirectUris', 'http://host.example.com/callback'],
    ['clientRedirectUris', ['https://host.example.com/callback', 'somewhere']],
    ['domainName', 'https://hub.example.com'],
    ['certificateArn', certificateArn.replace('us-east-1', 'eu-central-1')],
    ['priceClass', 'cheap'],
    ['MEMBERS_PER_ROOM', 'many'],
    ['MEMBERS_PER_ROOM', 0],
  ])('names the setting %s that cannot be %j', (name, value) => {
    expect(() => readConfig({ [`tandry:${name}`]: value })).toThrow(name);
  });

  it('needs no other website in production than the distribution', () => {
    expect(readConfig({ 'tandry:stage': 'prod' }).websiteOrigins).toEqual([]);
  });

  it('takes a domain name together with its certificate', () => {
    const domain = {
      'tandry:domainName': 'hub.example.com',
      'tandry:certificateArn': certificateArn,
    };
    expect(readConfig(domain).domain).toEqual({ name: 'hub.example.com', certificateArn });
  });

  it.each([
    ['tandry:domainName', 'hub.example.com'],
    ['tandry:certificateArn', certificateArn],
  ])('refuses %s alone', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow('need each other');
  });

  it.each([
    ['a list', ['https://a.example.com', 'https://b.example.com']],
    ['one string, as the command line gives it', 'https://a.example.com,https://b.example.com'],
  ])('takes origins as %s', (_, origins) => {
    expect(readConfig({ ...prod, 'tandry:websiteOrigins': origins }).websiteOrigins).toEqual([
      'https://a.example.com',
      'https://b.example.com',
    ]);
  });

  it.each([
    [true, true],
    ['true', true],
    ['false', false],
  ])('takes selfSignUp %j as %j', (given, expected) => {
    expect(readConfig({ 'tandry:selfSignUp': given }).selfSignUp).toBe(expected);
  });

  it('passes on the limits that are set, as strings, and no others', () => {
    const limits = { 'tandry:MEMBERS_PER_ROOM': 500, 'tandry:ROOMS_PER_OWNER': '3' };
    expect(readConfig(limits).policy).toEqual({ MEMBERS_PER_ROOM: '500', ROOMS_PER_OWNER: '3' });
  });
});
