/** The error for a setting that cannot be used. Pure code cannot import the driver's ClusterError. */

/** Nothing was started; `setting` names what to change and the message says to what. */
export class ClusterSettingsError extends Error {
  override readonly name = 'ClusterSettingsError';
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(message);
    this.setting = setting;
  }
}
