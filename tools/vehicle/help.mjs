// The text of `npm start -- --help`. Plain JavaScript without dependencies: it is printed before anything is
// set up.
export const HELP = `usage: npm start -- [OPTION]...
Runs the controller with a simulated vehicle on its two CAN buses.

  --http PORT         port of the page and the interface; 0 takes a free one (default 8080)
  --lan               for phones and computers of the local network too, with addresses and a QR code
  --flash DIR         folder that stands for the flash memory (default build/flash)
  --generation N      1, 2, 4, 5, 51 or 53: the coupling in the car, whatever is chosen on the page
                      (default: what the controller is set to; 5 on an empty flash)
  --coupling KIND     lenient takes every frame (default); strict only those that verify and count; bent sticks and
                      has a curve of its own: for calibration; 554k hunts at partial lock with torqueModel pinned
                      and is steady with proportional (generation 5)
  --drive CYCLE       city standing launch cruise braking corner hairpin reverse ignition-off (default city)
  --speed KMH         instead of a cycle: hold this speed, 0..250
  --pedal PERCENT     ... and this pedal (without --speed the car accelerates)
  --brake PERCENT     ... and this brake
  --steering DEG      ... and this steering wheel angle, left positive, -540..540
  --gear P|R|N|D      ... and this lever position
  --hazard on|off     ... and the hazard lights
  --handbrake on|off  ... and the handbrake
  --fault NAME,...    what is wrong with the car:
                      speed-initialising speed-undervoltage speed-error wheel-error speeds-disagree
                      pedal-error rpm-error angle-unknown frozen-speed frozen-pedal frozen-report
                      counter-stands counter-jumps wrong-checksum substitute-speed handbrake-blinks
                      report-short report-long report-empty report-error emergency too-hot warm-oil
                      slow-frames silence ignition-off
  --controls          what you type presses the board's controls, a line each: "button mode down", "... up",
                      "button external down", "input brake on", "... off", "input handbrake on"
  --replay FILE       no vehicle: the controller plays a recording (candump, SavvyCAN, ASC, BLF, TRC, CRTD, CSV; also .gz)
  --chassis NAME      with --replay: what it calls the chassis bus, and
  --coupling NAME     the coupling bus, such as slcan0 or 1 (default: the first two names in order)
  --pace real|max     with --replay: as fast as it was, or as fast as it goes
  --without-feedback  control also while nothing reports on the coupling bus; stays set in the flash
  --record FILE.log   record what arrives on the coupling bus, as candump -L does
  --vehicle none      the controller alone
  --help              this text
`;
