// All scenarios, in the order they are played: those that move the clock come last.
import type { Scenario } from './scenario.ts';
import { bucketScenarios } from './scenarios/bucket.ts';
import { chatToolScenarios } from './scenarios/chat-tools.ts';
import { chatScenarios } from './scenarios/chats.ts';
import { checkScenarios } from './scenarios/checks.ts';
import { clockScenarios } from './scenarios/clock.ts';
import { continuingScenarios } from './scenarios/continuing.ts';
import { deletingScenarios } from './scenarios/deleting.ts';
import { historyScenarios } from './scenarios/history.ts';
import { httpScenarios } from './scenarios/http.ts';
import { joinScenarios } from './scenarios/join.ts';
import { linkEndScenarios } from './scenarios/link-ends.ts';
import { linkNotifyScenarios } from './scenarios/link-notify.ts';
import { linkOpeningScenarios } from './scenarios/link-opening.ts';
import { linkPresenceScenarios } from './scenarios/link-presence.ts';
import { mailScenarios } from './scenarios/mail.ts';
import { memberScenarios } from './scenarios/members.ts';
import { replyScenarios } from './scenarios/replies.ts';
import { roomScenarios } from './scenarios/rooms.ts';
import { sendScenarios } from './scenarios/send.ts';
import { signInScenarios } from './scenarios/sign-in.ts';
import { websiteScenarios } from './scenarios/website.ts';
import type { LinkWorld } from './world.ts';

export const scenarios: readonly Scenario<LinkWorld>[] = [
  ...httpScenarios,
  ...checkScenarios,
  ...roomScenarios,
  ...joinScenarios,
  ...continuingScenarios,
  ...websiteScenarios,
  ...memberScenarios,
  ...sendScenarios,
  ...replyScenarios,
  ...bucketScenarios,
  ...mailScenarios,
  ...historyScenarios,
  ...deletingScenarios,
  ...chatToolScenarios,
  ...chatScenarios,
  ...signInScenarios,
  ...linkOpeningScenarios,
  ...linkNotifyScenarios,
  ...linkEndScenarios,
  ...clockScenarios,
  ...linkPresenceScenarios,
];
