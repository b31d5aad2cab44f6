// The types that follow from the table; held by the compiler, not at run time.
import { expectTypeOf, test } from 'vitest';
import type { MessageView, Unread } from '../nouns.ts';
import {
  type OperationInput,
  type OperationRequest,
  type OperationResult,
  operations,
} from './index.ts';

test('a caller may leave out or write null where the Hub sees undefined', () => {
  expectTypeOf<OperationRequest<'history'>>().toEqualTypeOf<{
    before?: number | null | undefined;
    view?: 'room' | 'correspondence' | null | undefined;
  }>();
  expectTypeOf<OperationInput<'history'>>().toEqualTypeOf<{
    before?: number | undefined;
    view?: 'room' | 'correspondence' | undefined;
  }>();
  expectTypeOf<OperationInput<'send'>['to']>().toEqualTypeOf<'@room' | string[]>();
});

test('results have the views of their nouns', () => {
  expectTypeOf<OperationResult<'inbox'>>().toEqualTypeOf<{
    messages: MessageView[];
    upTo: number;
    remaining: Unread | null;
  }>();
  expectTypeOf<OperationResult<'join'>['outcome']>().toEqualTypeOf<
    'joined' | 'reused' | 'continued'
  >();
});

test('the scope of each operation is known by name', () => {
  expectTypeOf(operations.history.scope).toEqualTypeOf<'room'>();
});
