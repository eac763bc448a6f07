/**
 * One random history as a value: who there is, with which settings, what they are told to do and
 * what goes wrong, each at its moment. A plan is JSON; it replays from a file as well as from its seed.
 */
import type { LeaseConduct } from '@rollcall/core';

/** What nodes are told to do. */
export const WORK = ['join', 'leave', 'down', 'restart', 'supervisor'] as const;

/** What goes wrong. Each is off in some seeds and wild in others; `lease` where there is none is off. */
export const FAULTS = [
  'crash',
  'power',
  'pause',
  'partition',
  'cut',
  'loss',
  'segments',
  'delay',
  'duplicate',
  'reorder',
  'lease',
] as const;

export type Work = (typeof WORK)[number];
export type Fault = (typeof FAULTS)[number];
/** What a plan can be asked to go without. */
export type Part = Work | Fault;

/** How much of one fault a seed has. */
export type Level = 'off' | 'mild' | 'wild';

interface At {
  /** Which step of the seed's plan it is; it keeps its number when others are taken out. */
  readonly id: number;
  readonly atMs: number;
}

/** Something that concerns one node. */
interface NodeStep extends At {
  /**
   * `start`: with the first ones; `join`: later; `restart`: the same address under a new uid, killed first
   * if it runs; `crash`: its peers see resets; `power`: nobody hears a thing.
   */
  readonly kind: 'start' | 'join' | 'restart' | 'leave' | 'crash' | 'power';
  readonly node: string;
}

/** One node is told to mark another one down. */
interface DownStep extends At {
  readonly kind: 'down';
  readonly node: string;
  readonly target: string;
}

interface PauseStep extends At {
  readonly kind: 'pause';
  readonly node: string;
  readonly forMs: number;
}

export interface PartitionStep extends At {
  readonly kind: 'partition';
  readonly forMs: number;
  readonly groups: readonly (readonly string[])[];
}

/** Nothing gets from one to the others; the way back is open. */
export interface CutStep extends At {
  readonly kind: 'cut';
  readonly forMs: number;
  readonly node: string;
  readonly to: readonly string[];
}

/** Links are bad: all of them, or those of some nodes. */
export interface LinkStep extends At {
  readonly kind: 'loss' | 'segments' | 'delay' | 'duplicate' | 'reorder';
  readonly forMs: number;
  readonly around?: readonly string[];
  readonly probability: number;
  readonly spreadMs: number;
}

/** The lease grants nothing, or grants and nobody hears of it. */
interface LeaseStep extends At {
  readonly kind: 'lease';
  readonly forMs: number;
  readonly conduct: LeaseConduct;
}

export type Step = NodeStep | DownStep | PauseStep | PartitionStep | CutStep | LinkStep | LeaseStep;

export interface Plan {
  readonly seed: number;
  /** Everybody who is ever started, in address order. */
  readonly nodes: readonly string[];
  /** The same list at every node, or, `selfFirst`, with itself at the head if it is among them. */
  readonly seeds: readonly string[];
  readonly selfFirst: boolean;
  /** Who has the role that `downing.role` counts, when it counts one. */
  readonly voters: readonly string[];
  /** Dotted names; what is not there has its default. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** One way, for every packet: anything between these, or mostly the first and seldom up to the second. */
  readonly latency: { readonly minMs: number; readonly maxMs: number; readonly longTail: boolean };
  /** Whoever stopped itself, was removed or crashed is started again so much later; nobody is without it. */
  readonly supervisorMs?: number;
  readonly levels: Readonly<Record<Fault, Level>>;
  readonly steps: readonly Step[];
  /** Then every fault stops and everything is healed. */
  readonly faultsEndMs: number;
}

/** The part a step belongs to; the start of the first nodes belongs to none. */
export const partOf = ({ kind }: Step): Part | undefined => (kind === 'start' ? undefined : kind);
