/**
 * Overrides for single members: `peers.<address>.threshold` and the like, for the one that is behind a worse link than
 * all others. They change how this node judges that address, and nothing else.
 */
import { isAddress } from './member-facts.js';
import { checkDetector } from './setting-combinations.js';
import { SETTINGS, type Settings } from './setting-table.js';
import { ClusterSettingsError } from './settings-error.js';

const BRANCH = 'peers.';
const { threshold, acceptablePause, minStdDeviation } = SETTINGS.detector;

/** What may be given for each address; the same as in `detector`. */
export const PEER_SETTINGS = { threshold, acceptablePause, minStdDeviation } as const;

type Leaf = keyof typeof PEER_SETTINGS;

const isLeaf = (name: string): name is Leaf => Object.hasOwn(PEER_SETTINGS, name);

/** The parts of `peers.<address>.<leaf>`: an address has dots of its own. Undefined for any other name. */
export function readPeerName(name: string): { address: string; leaf: Leaf } | undefined {
  if (!name.startsWith(BRANCH)) return undefined;
  const dot = name.lastIndexOf('.');
  const [address, leaf] = [
    name.slice(BRANCH.length, Math.max(dot, BRANCH.length)),
    name.slice(dot + 1),
  ];
  return isLeaf(leaf) && isAddress(address) ? { address: address.toLowerCase(), leaf } : undefined;
}

/** The settings as they are for the member at that address. */
export function settingsFor(settings: Settings, address: string): Settings {
  const own = settings.peers[address];
  return own === undefined ? settings : { ...settings, detector: { ...settings.detector, ...own } };
}

/** Throws ClusterSettingsError, naming the address, where an override makes a combination that cannot work. */
export function checkPeers(settings: Settings): void {
  for (const [address, own] of Object.entries(settings.peers)) {
    try {
      checkDetector(settingsFor(settings, address));
    } catch (error) {
      if (!(error instanceof ClusterSettingsError)) throw error;
      const leaf = Object.keys(own)[0] ?? 'threshold';
      throw new ClusterSettingsError(
        `${BRANCH}${address}.${leaf}`,
        `with what ${BRANCH}${address} says, ${error.message}`,
      );
    }
  }
}
