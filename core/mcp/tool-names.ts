/** The tools of the MCP server, in the order in which they are listed. */
export const toolNames = [
  'list_bots',
  'get_bot',
  'search_knowledge',
  'ask_bot',
  'add_knowledge',
  'list_documents',
  'find_conversations',
  'get_conversation',
  'get_insights',
] as const;
export type ToolName = (typeof toolNames)[number];
