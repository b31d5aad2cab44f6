// A secret that is made at deployment and known to nobody but those it is given to.
import { type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

type Props = Readonly<{ description: string; removalPolicy?: RemovalPolicy }>;

/**
 * Makes the secret and gives its value for a property of another resource. Not in the template: a
 * reference that is resolved at deployment. After that whoever may read the configuration of what
 * got it sees it.
 */
export function generatedSecret(scope: Construct, id: string, props: Props): string {
  const secret = new Secret(scope, id, {
    ...props,
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  });
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'Whoever uses it learns of a new value by a deployment only',
  });
  return secret.secretValue.unsafeUnwrap();
}
