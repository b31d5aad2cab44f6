// Every alarm has a page of instructions, and reaches the operator when there is an address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { hubTemplate } from '../testing/hub-template.ts';

const runbookFile = join(import.meta.dirname, '..', '..', 'docs', 'runbook.md');
const runbook = readFileSync(runbookFile, 'utf8');
const sections = runbook.split(/^## /m).slice(1);
const template = hubTemplate();
const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'));

function alarm(name: string) {
  return alarms.find(({ Properties }) => Properties['AlarmName'] === `TandryHub-dev-${name}`);
}

describe('alarms', () => {
  it('are the headings of the runbook', () => {
    const headings = sections.map((section) => section.slice(0, section.indexOf('\n')));
    const names = alarms.map(({ Properties }) => Properties['AlarmName']);
    expect(names.sort()).toEqual(headings.map((heading) => `TandryHub-dev-${heading}`).sort());
  });

  it('have instructions that say what it means, how to investigate and how to resolve it', () => {
    for (const section of sections) {
      expect(section).toMatch(/\*\*Meaning\.\*\*.*\*\*Investigate\.\*\*.*\*\*Resolve\.\*\*/s);
    }
  });

  it('have instructions whose commands find one resource each', () => {
    const lookUps = [...runbook.matchAll(/\$\(resource (\w+) (AWS::\w+::\w+)\)/g)];
    expect(lookUps.length).toBeGreaterThan(4);
    for (const [, prefix = '', type = ''] of lookUps) {
      const ids = Object.keys(template.findResources(type)).filter((id) => id.startsWith(prefix));
      expect(ids, `${prefix} ${type}`).toHaveLength(1);
    }
  });

  it('carry a severity and stay quiet without traffic', () => {
    for (const { Properties } of alarms) {
      expect(Properties).toMatchObject({
        TreatMissingData: 'notBreaching',
        Tags: [{ Key: 'severity', Value: expect.stringMatching(/^(high|low)$/) }],
      });
    }
  });

  it.each(['http', 'auth', 'mcp'])('watch the %s function just below its timeout', (name) => {
    expect(alarm(`${name}-duration`)?.['Properties']).toMatchObject({
      MetricName: 'Duration',
      Statistic: 'Maximum',
      Threshold: 12_000,
    });
  });

  it('watch the age of the stream that purge reads', () => {
    expect(alarm('purge-iterator-age')?.['Properties']).toMatchObject({
      MetricName: 'IteratorAge',
      Threshold: 600_000,
      Dimensions: [
        { Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^PurgeFunction/) } },
      ],
    });
  });

  it.each([
    ['purge-dead-letters', /^PurgeDeadLetters/],
    ['purge-failed-batches', /^PurgeFailedBatches/],
  ])('%s rings at the first message', (name, queue) => {
    expect(alarm(name)?.['Properties']).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
      EvaluationPeriods: 1,
      Dimensions: [{ Value: { 'Fn::GetAtt': [expect.stringMatching(queue), 'QueueName'] } }],
    });
  });

  it('tell nobody unless there is an address', () => {
    template.resourceCountIs('AWS::SNS::Topic', 0);
    const told = hubTemplate({ 'tandry:alarmEmail': 'ops@example.com' });
    told.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    told.allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: [{ Ref: Match.stringLikeRegexp('Topic') }],
      OKActions: [{ Ref: Match.stringLikeRegexp('Topic') }],
    });
  });
});
