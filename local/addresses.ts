// Where each service of AWS is found on this machine: rewrites addresses in what functions are told.
import { namesByType, region } from './template/names.ts';
import type { Resources } from './template/typed.ts';

/** Base URLs of what runs here, without a slash at the end. */
export type LocalAddresses = { hub: string; sqs: string; cognito: string | undefined };

/** Makes the function that puts local addresses in place of AWS's, anywhere in a text. */
export function createLocalizer(
  resources: Resources,
  { hub, sqs, cognito }: LocalAddresses,
): (text: string) => string {
  const pairs: (readonly [string, string])[] = [[`https://sqs.${region}.amazonaws.com`, sqs]];
  for (const resource of resources.values()) {
    const names = namesByType[resource.Type];
    if (resource.Type === 'AWS::ApiGatewayV2::Api') {
      pairs.push([names?.attributes?.['ApiEndpoint']?.(resource) ?? '', hub]);
    }
    if (cognito !== undefined && resource.Type === 'AWS::Cognito::UserPoolDomain') {
      const domain = names?.ref(resource);
      pairs.push([`https://${domain}.auth.${region}.amazoncognito.com`, cognito]);
    }
  }
  if (cognito !== undefined) pairs.push([`https://cognito-idp.${region}.amazonaws.com`, cognito]);
  return (text) => pairs.reduce((all, [aws, local]) => all.replaceAll(aws, local), text);
}
