// What an operator is told about. Each alarm's name is a heading of docs/runbook.md.
import { Stack, Tags, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';
import { type Watch, type Watched, watches } from './watches.ts';

type Props = Watched & Readonly<{ config: Pick<HubConfig, 'alarmEmail'> }>;

export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { config, ...watched }: Props) {
    super(scope, id);
    const action = config.alarmEmail === undefined ? undefined : this.mailTo(config.alarmEmail);
    for (const [name, watch] of Object.entries(watches(watched))) {
      const alarm = this.alarm(name, watch);
      if (action === undefined) continue;
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  private alarm(name: string, { severity, metric, threshold, periods }: Watch): Alarm {
    const alarm = new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: `Severity ${severity}. What to do: docs/runbook.md, "${name}".`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No traffic means no figures, and nothing to be told about.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    Tags.of(alarm).add('severity', severity);
    return alarm;
  }

  private mailTo(address: string): SnsAction {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    const subscription = topic.addSubscription(new EmailSubscription(address));
    Validations.of(subscription).acknowledge({
      id: 'Serverless::Serverless-SNSRedrivePolicy',
      reason: 'A mail that bounces is no message to keep; the alarm itself stays visible',
    });
    return new SnsAction(topic);
  }
}
