// Entry point of the `cdk` command (cdk.json).
import { hubApp } from './hub-app.ts';

hubApp().app.synth();
