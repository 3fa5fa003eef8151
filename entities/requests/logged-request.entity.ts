import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, NullableText, Reference, Text } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** A request to the API, for the request log. Contains ids and names that Parley defines; no content. */
@Entity('request_log')
@Index('ix_request_log_org_created', ['orgId', 'createdAt', 'id'])
export class LoggedRequest {
  /** The UUID within the id of the logged request. */
  @Id('request_log') id!: string;
  @Reference('request_log', 'org_id', () => Org) orgId!: string;
  /**
   * API key that sent the logged request; null if a signed-in person called. Not a reference, because the log
   * also shows deleted keys.
   */
  @Column({ name: 'api_key_id', type: 'uuid', nullable: true }) apiKeyId!: string | null;
  /** The signed-in person who sent the logged request; null for an API key. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId!: string | null;
  @Text('operation') operation!: string;
  @Text('method') method!: string;
  /** Path of the logged request with the ids of resources, and without query parameters. */
  @Text('path') path!: string;
  /** HTTP status of the response; null if the connection closed before the response. */
  @Column({ name: 'status', type: 'integer', nullable: true }) status!: number | null;
  @NullableText('error_code') errorCode!: string | null;
  /** Names of the request's wrong fields, the missing scope or role, or the exceeded limit; no values. */
  @NullableText('error_subject') errorSubject!: string | null;
  @Integer('duration_ms') durationMs!: number;
  @CreatedAt() createdAt!: Date;
}
