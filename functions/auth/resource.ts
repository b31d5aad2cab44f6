// The one resource that connectors are for, as OAuth names it (design, section 5).

/** Its identifier, at a Hub whose address is `hubUrl`: the audience of connector tokens. */
export const resourceOf = ({ hubUrl }: { readonly hubUrl: string }) => `${hubUrl}/mcp`;

/** The one scope: what a person's agents may do, they may do. */
export const scope = 'rooms';
