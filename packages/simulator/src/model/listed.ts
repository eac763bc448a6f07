/**
 * The shortest traces known when the rules were designed: what a transcript is measured against.
 */

export const LISTED: Readonly<Record<string, string>> = Object.freeze({
  X01:
    'welcome C->A; A->C; C->D; D->B; f@B; SPLIT {A,B}; accuse B->C; accuse B->D; B->A; ' +
    'accuse C->A; accuse C->B; C->D; decide@A; A->B; f@B; decide@D; D->C; f@C',
  X02: 'Down A->B; A->C; Down A->C; f@A; Down C->A; f@C',
  X02b:
    'SPLIT {A}; accuse A->B; accuse A->C; HEAL; A->C; C->B; unaccuse A->C; A->C; decide@B; ' +
    'decide@C; C->A; f@A; accuse B->C; decide@B; f@B',
  X03: 'Down A->B; A->C; Down A->C; f@A; Down C->A; f@C',
  X04: 'leave A->A; A->C; C->B; Down A->B; A->C; f@B; Down B->C; f@B; f@C',
  X05: 'leave A->A; A->B; B->C; f@C; C->A; A->B; Down A->B; A->C; f@B; Down B->C; f@B; f@C',
  X06: 'leave A->B; leave A->C; A->B; B->C; f@C; Exited C; C->B; Exited B; B->A; timeout@A',
  X07:
    'leave A->B; A->C; C->D; D->B; f@B; Exited B; B->A; stop B; crash A; accuse C->A; ' +
    'accuse C->B; C->D; accuse D->A; accuse D->B; D->C; C->D; decide@C; accuse D->C; decide@D',
  X08: 'Down A->C; Down B->A; B->C; crash B; f@C; restart B2; join B2->A; f@A',
  X09: 'welcome A->C; C->A; A->B; B->C; Down A->B; f@A; f@C',
  X10: 'join B->A; Down A->B; f@A; join C->A; welcome A->C; f@C; join B->C',
  X11:
    'welcome A->C; C->A; A->B; f@B; welcome A->D; B->A; A->C; D->A; f@C; A->C; C->A; A->B; B->A; ' +
    'A->C',
  X12:
    'welcome A->B; B->A; A->B; Down A->B; f@A; f@B; welcome B->C; notice B->A; keep-snapshot C; ' +
    'timeout@C; welcome A->C; C->A; f@A; stale from C to A',
  X13: 'Down A->B; A->C; f@C; A->C',
  X14: 'Down A->B; welcome A->C; C->A; keep-snapshot A; f@A; A->C; f@C; stale from A to C',
  X15: 'welcome A->C; C->A; A->B; Down A->B; A->C; f@B; B->A; f@C',
  X16: 'Down A->B; f@A; welcome A->C; C->A; A->C; f@A; f@C',
  X17: 'welcome A->C; C->A; A->B; f@B; B->A; A->C; C->A; A->B',
  X18: 'welcome C->A; welcome C->B; B->C; Down C->D; C->B; A->C; f@B; f@C',
  X19: 'welcome C->A; welcome C->B; B->C; Down C->D; C->B; A->C; f@B; f@C; B->C; Down C->A; C->B',
  X20: 'welcome A->C; C->A; A->B; Down A->B; f@A; f@B',
  X21: 'leave A->A; A->B; f@B',
  X22:
    'quit A; A->B; welcome B->C; C->B; welcome B->D; D->B; quit B; B->C; B->D; Down C->D; f@C; ' +
    'Down D->C; f@D',
  X23:
    'welcome A->B; welcome A->C; C->A; A->C; B->A; quit A; A->B; Down B->C; f@B; f@C; A->C; ' +
    'Down C->B; f@C',
  X24: 'welcome A->C; C->A; A->B; leave A->C; Down A->B; A->C; f@B; f@C',
  D1: 'accuse A->B; A->C; C->A; SPLIT {A}; accuse C->A; C->B; B->C; decide@C; decide@A',
  D3:
    'SPLIT {A}; accuse A->B; accuse A->C; HEAL; A->B; B->C; unaccuse A->B; A->B; decide@B; ' +
    'decide@C; notice A->C; notice C->B; accuse B->A; decide@B',
  D4:
    'welcome B->A; A->B; B->C; C->D; f@D; SPLIT {A,B}; accuse A->C; accuse A->D; A->B; ' +
    'accuse B->C; accuse B->D; B->A; A->B; accuse C->A; accuse C->B; C->D; accuse D->A; ' +
    'accuse D->B; D->C; C->D; decide@A; accuse B->A; decide@B; decide@C; accuse D->C; decide@D',
});

export const stepsOf = (trace: string): number => trace.split(';').length;
