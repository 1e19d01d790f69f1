; SPDX-License-Identifier: MIT
; The axioms about bits in tests/prove/runs.c, for words: cvc4 finds no counterexample to any of them (unsat). prove.sh
; puts the number WEFT_TURN_RUN in the place of RUN.
(set-logic QF_BV)
(declare-const x (_ BitVec 64))
(declare-const y (_ BitVec 64))
(declare-const w (_ BitVec 32))
(define-fun run () (_ BitVec 32) RUN)
(define-fun long-run () (_ BitVec 64) ((_ zero_extend 32) run))
; mask
(push 1)
(assert (not (bvule (bvand x y) y)))
(check-sat)
(pop 1)
; shift
(push 1)
(assert (not (bvule (bvlshr x #x0000000000000007) (bvudiv x #x0000000000000080))))
(check-sat)
(pop 1)
; cleared
(push 1)
(assert (not (= (bvand (bvsub x (bvand x long-run)) long-run) #x0000000000000000)))
(check-sat)
(pop 1)
; next
(push 1)
(assert (bvult (bvand w run) run))
(assert (not (= (bvand (bvadd w #x00000001) run) (bvadd (bvand w run) #x00000001))))
(check-sat)
(pop 1)
