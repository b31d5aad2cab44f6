// Deployed behind the WebSocket API: composition only.
export const handler = async () => ({ statusCode: 200 });
