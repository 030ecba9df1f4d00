// What calibrations have learned, on files in memory, for a controller of tests.
import { Learning } from "../../src/calibration/learning.js";
import type { FakeController } from "./controller-view.js";
import { contextOn } from "./map-store.js";
import { MemoryFiles } from "./memory-files.js";

export function aLearning(controller: FakeController): Learning {
	const { sweep } = controller.calibration;
	return new Learning(
		{
			get settings() {
				return controller.settings;
			},
			calibration: { sweep },
			vehicle: controller.vehicle,
			startCalibration: () => {
				if (controller.calibrationRejection === "") sweep.start(controller.nowMs);
				return controller.calibrationRejection;
			},
			useLearned: ({ generation, table }) => {
				const isOther = generation !== 0 && generation !== controller.settings.generation;
				controller.factors = { table: generation === 0 || isOther ? null : table, differs: isOther ? "generation" : "" };
			},
		},
		contextOn(new MemoryFiles({})),
	);
}
