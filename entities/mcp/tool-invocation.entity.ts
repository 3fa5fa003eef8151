import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Json, NullableText, Reference, Text } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Org } from '../team/org.entity.ts';

export const toolOutcomes = ['succeeded', 'failed'] as const;
export type ToolOutcome = (typeof toolOutcomes)[number];

/** A call of a tool of the MCP server, for the log. */
@Entity('tool_invocations')
@Index('ix_tool_invocations_org_created', ['orgId', 'createdAt', 'id'])
export class ToolInvocation {
  @Id('tool_invocations') id!: string;
  @Reference('tool_invocations', 'org_id', () => Org) orgId!: string;
  @Column({ name: 'api_key_id', type: 'uuid' }) apiKeyId!: string;
  @Text('tool') tool!: string;
  @Text('outcome') outcome!: ToolOutcome;
  /** Error code of a failed call of an MCP tool; null if the call succeeded. */
  @NullableText('error_code') errorCode!: string | null;
  /** Arguments of the tool call, without secrets and personal data: see `redactArguments`. */
  @Sealed() @Json('arguments', { default: {} }) arguments!: Sealed<Record<string, unknown>>;
  @KeyId() keyId!: string | null;
  @Integer('duration_ms') durationMs!: number;
  /** Name and version that the MCP client sent about itself. */
  @NullableText('client') client!: string | null;
  @Text('request_id') requestId!: string;
  @CreatedAt() createdAt!: Date;
}
