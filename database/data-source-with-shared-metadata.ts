import { DataSource, type MigrationInterface } from 'typeorm';

let builder: Promise<DataSource> | undefined;

/**
 * A data source that reuses the entity metadata of the first one in the process. TypeORM needs 12 to 40 ms of CPU to
 * build about 90 of them, and they depend on no address or pool. All data sources of a process must list the same
 * entities and use the same database type. The metadata's `dataSource` is the first one; use that of the repository.
 */
export class DataSourceWithSharedMetadata extends DataSource {
  protected override async buildMetadatas(): Promise<void> {
    builder ??= super.buildMetadatas().then(() => this);
    const built = await builder;
    if (built === this) return;
    const { entityMetadatas, entityMetadatasMap } = built;
    const classes = (this.options.migrations ?? []) as (new () => MigrationInterface)[];
    const migrations = classes.map((Migration) => new Migration());
    Object.assign(this, { migrations, entityMetadatas, entityMetadatasMap });
  }
}
