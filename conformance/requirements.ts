// Every rule of the protocol that somebody outside a Hub relies on, as data with IDs.
import { httpRequirements } from './requirements/http.ts';
import { joinRequirements } from './requirements/join.ts';
import { limitRequirements } from './requirements/limits.ts';
import { linkRequirements } from './requirements/link.ts';
import { messageRequirements } from './requirements/messages.ts';
import { roomRequirements } from './requirements/rooms.ts';
import { toolRequirements } from './requirements/tools.ts';
import { viewRequirements } from './requirements/views.ts';

export const requirements = [
  ...httpRequirements,
  ...limitRequirements,
  ...viewRequirements,
  ...roomRequirements,
  ...joinRequirements,
  ...messageRequirements,
  ...linkRequirements,
  ...toolRequirements,
] as const;

/** What a scenario may cite: an ID that does not exist does not compile. */
export type RequirementId = (typeof requirements)[number]['id'];
