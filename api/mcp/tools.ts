import type { Tool } from './tool.ts';
import { getBotTool, listBotsTool } from './tools/bots.ts';
import { findConversationsTool, getConversationTool } from './tools/conversations.ts';
import { getInsightsTool } from './tools/insights.ts';
import { addKnowledgeTool, askBotTool, listDocumentsTool, searchKnowledgeTool } from './tools/knowledge.ts';

/** All tools of the MCP server, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  listBotsTool,
  getBotTool,
  searchKnowledgeTool,
  askBotTool,
  addKnowledgeTool,
  listDocumentsTool,
  findConversationsTool,
  getConversationTool,
  getInsightsTool,
];
