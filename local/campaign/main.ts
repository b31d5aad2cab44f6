// `npm run campaign`: the whole fault campaign, 10,000 messages over 20 members.
import { runCampaign } from './campaign.ts';

const report = await runCampaign({
  messages: Number(process.argv[2] ?? 10_000),
  pushMembers: 15,
  pullMembers: 5,
  senders: 10,
  speed: 60,
  onProgress: (line) => console.log(line),
});
console.table(report);
const isGood = report.missing === 0 && report.doubledAtPull === 0 && report.longestWaitMs <= 30_000;
console.log(isGood ? 'Nothing was lost.' : 'The campaign FAILED.');
process.exitCode = isGood ? 0 : 1;
