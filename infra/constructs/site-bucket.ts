// Where the website's files are: readable by the distribution alone.
import { Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

/** No versions: every file can be built again from the repository. */
export class SiteBucket extends Bucket {
  constructor(scope: Construct, id: string, { removalPolicy }: Pick<HubConfig, 'removalPolicy'>) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      removalPolicy,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions::AwsSolutions-S1',
      reason: 'Holds public files that only the distribution reads',
    });
  }

  /** Not by S3's own website hosting, which speaks plain HTTP only. */
  override get isWebsite(): boolean {
    return false;
  }
}
