import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TextArray, UpdatedAt } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';

/** The kinds of email that a person has turned off. A person without a row gets all kinds. */
@Entity('email_preferences')
@ForeignKey(() => User, ['userId'], ['id'], { name: 'fk_email_preferences_user_id', onDelete: 'CASCADE' })
export class EmailPreference {
  @PrimaryColumn({ name: 'user_id', type: 'uuid', primaryKeyConstraintName: 'pk_email_preferences' })
  userId!: string;
  @TextArray('turned_off') turnedOff!: string[];
  @UpdatedAt() updatedAt!: Date;
}
