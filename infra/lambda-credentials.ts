// In bundles this stands for the SDK's search for credentials. Lambda hands those of a function's
// role over in the environment; looking in files, at sign-in services and at metadata endpoints is
// a fifth of a bundle, loaded at every cold start and never used.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
