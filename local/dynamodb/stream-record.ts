// One record of a stream: from what the engine says to what a Lambda function is given.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, objectOf, textOf } from './json.ts';
import type { StreamViewType } from './tables.ts';

/** A record as in the event of a function that is mapped to the stream. */
export interface StreamRecord {
  eventID: string;
  eventName: string;
  eventVersion: string;
  eventSource: string;
  awsRegion: string;
  eventSourceARN: string;
  dynamodb: {
    Keys: JsonObject;
    NewImage?: JsonObject;
    OldImage?: JsonObject;
    SequenceNumber: string;
    StreamViewType: StreamViewType;
    /** Epoch seconds. */
    ApproximateCreationDateTime: number;
  };
  /** When TTL deleted the item: `{ type: 'Service', principalId: 'dynamodb.amazonaws.com' }`. */
  userIdentity?: JsonObject;
}

export interface StreamIdentity {
  region: string;
  streamArn: string;
  viewType: StreamViewType;
}

const shownImages: Record<StreamViewType, readonly ('NewImage' | 'OldImage')[]> = {
  KEYS_ONLY: [],
  NEW_IMAGE: ['NewImage'],
  OLD_IMAGE: ['OldImage'],
  NEW_AND_OLD_IMAGES: ['NewImage', 'OldImage'],
};

/** A write that changed nothing: DynamoDB streams none. */
export function isWithoutChange(record: JsonObject): boolean {
  const { OldImage, NewImage } = objectOf(record['dynamodb']);
  return OldImage !== undefined && isDeepStrictEqual(OldImage, NewImage);
}

export function sequenceNumberOf(record: JsonObject): string {
  return textOf(objectOf(record['dynamodb'])['SequenceNumber']) ?? '';
}

export function toStreamRecord(record: JsonObject, stream: StreamIdentity): StreamRecord {
  const { region, streamArn, viewType } = stream;
  const change = objectOf(record['dynamodb']);
  const sequenceNumber = sequenceNumberOf(record);
  const images = shownImages[viewType].filter((image) => change[image] !== undefined);
  const { userIdentity } = record;
  return {
    eventID: createHash('md5').update(`${streamArn}\n${sequenceNumber}`).digest('hex'),
    eventName: textOf(record['eventName']) ?? '',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: streamArn,
    dynamodb: {
      Keys: objectOf(change['Keys']),
      ...Object.fromEntries(images.map((image) => [image, objectOf(change[image])])),
      SequenceNumber: sequenceNumber,
      StreamViewType: viewType,
      ApproximateCreationDateTime: Number(change['ApproximateCreationDateTime'] ?? 0),
    },
    ...(userIdentity === undefined ? {} : { userIdentity: objectOf(userIdentity) }),
  };
}
