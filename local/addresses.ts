// Where each service of AWS is found on this machine: rewrites addresses in what functions are
// told.
import { namesByType, region } from './template/names.ts';
import type { Resources } from './template/typed.ts';

/** Base URLs of what runs here, without a slash at the end; absent: the template has none. */
export type LocalAddresses = {
  hub: string;
  sqs: string;
  cognito: string | undefined;
  /** The management API of the WebSocket API. */
  connections: string | undefined;
};

/** Makes the function that puts local addresses in place of AWS's, anywhere in a text. */
export function createLocalizer(
  resources: Resources,
  addresses: LocalAddresses,
): (text: string) => string {
  const { hub, sqs, cognito = '', connections = '' } = addresses;
  const pairs: (readonly [aws: string, local: string])[] = [
    [`https://sqs.${region}.amazonaws.com`, sqs],
    [`https://cognito-idp.${region}.amazonaws.com`, cognito],
  ];
  for (const resource of resources.values()) {
    const { Type, properties } = resource;
    const names = namesByType[Type];
    const attribute = (name: string) => names?.attributes?.[name]?.(resource) ?? '';
    if (Type === 'AWS::ApiGatewayV2::Api') {
      const isWebSocket = properties['ProtocolType'] === 'WEBSOCKET';
      // The endpoint of a WebSocket API is `wss:`; its management API is at the same host.
      const endpoint = attribute('ApiEndpoint').replace(/^wss:/, 'https:');
      pairs.push([endpoint, isWebSocket ? connections : hub]);
    }
    if (Type === 'AWS::CloudFront::Distribution') {
      pairs.push([`https://${attribute('DomainName')}`, hub]);
    }
    if (Type === 'AWS::Cognito::UserPoolDomain') {
      pairs.push([`https://${names?.ref(resource)}.auth.${region}.amazoncognito.com`, cognito]);
    }
  }
  return (text) => pairs.reduce((all, [aws, local]) => all.replaceAll(aws, local), text);
}
